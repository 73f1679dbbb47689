"""简体中文文案：键是英文原文，占位符必须一致；按来源分文件。"""

from __future__ import annotations

from soulsync.lang.zh import (
    access,
    beginnings,
    body,
    bridges,
    commands,
    connecting,
    conversion,
    cortex,
    demonstration,
    doctor,
    frameworks,
    help_texts,
    merging,
    output,
    own_server,
    oxsoul,
    repo,
    schedule,
    validation,
)

TEXTS: dict[str, str] = {
    **help_texts.TEXTS,
    **commands.TEXTS,
    **output.TEXTS,
    **demonstration.TEXTS,
    **body.TEXTS,
    **repo.TEXTS,
    **oxsoul.TEXTS,
    **access.TEXTS,
    **connecting.TEXTS,
    **beginnings.TEXTS,
    **schedule.TEXTS,
    **cortex.TEXTS,
    **conversion.TEXTS,
    **doctor.TEXTS,
    **frameworks.TEXTS,
    **bridges.TEXTS,
    **own_server.TEXTS,
    **validation.TEXTS,
    **merging.TEXTS,
}
