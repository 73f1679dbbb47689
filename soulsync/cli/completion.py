"""``soulsync completion``: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click

_FIRST_LINES = {
    "bash": "soulsync completion bash > ~/.local/share/bash-completion/completions/soulsync",
    "zsh": "soulsync completion zsh > ~/.zfunc/_soulsync",
    "fish": "soulsync completion fish > ~/.config/fish/completions/soulsync.fish",
}


@click.command(name="completion", short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(list(_FIRST_LINES)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands and options.

    \b
    Example:
      soulsync completion bash > ~/.local/share/bash-completion/completions/soulsync
    """
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"click knows no completion for {shell}")
    root = ctx.find_root().command
    click.echo(completion(root, {}, "soulsync", "_SOULSYNC_COMPLETE").source())
