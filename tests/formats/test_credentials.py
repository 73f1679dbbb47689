from __future__ import annotations

import pytest

from soulsync.formats.credentials import scan

# Put together here, so that no scanner of this repository takes a test for a leak.
LETTERS = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA2bC4dE6fG8hJ"
SECRETS = {
    "private key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "AWS key": "AKIA" + "IOSFODNN7EXAMPLE",
    "GitHub token": "ghp_" + LETTERS[:36],
    "GitLab token": "glpat-" + LETTERS[:20],
    "OpenAI key": "sk-proj-" + LETTERS[:40],
    "Anthropic key": "sk-ant-" + "api03-" + LETTERS[:30],
    "Google key": "AIza" + LETTERS[:35],
    "Slack token": "xoxb-" + "123456789012-" + LETTERS[:20],
    "Stripe key": "sk_live_" + LETTERS[:24],
    "npm token": "npm_" + LETTERS[:36],
    "PyPI token": "pypi-AgE" + LETTERS,
    "Hugging Face token": "hf_" + LETTERS[:34],
    "Telegram bot token": "123456789:AA" + LETTERS[:33],
    "SendGrid key": "SG." + LETTERS[:22] + "." + LETTERS[:43],
    "DigitalOcean token": "dop_v1_" + "0123456789abcdef" * 4,
    "Azure key": "AccountKey=" + LETTERS * 2 + "==",
    "Alibaba Cloud key": "LTAI" + LETTERS[:20],
    "Tencent Cloud key": "AKID" + LETTERS[:32],
    "Twilio key": "SK" + "0123456789abcdef" * 2,
    "JSON Web Token": "eyJ" + LETTERS[:20] + ".eyJ" + LETTERS[:20] + "." + LETTERS[:30],
    "password in an address": "postgres://app:s3cr3t" + "Pw@db.example.com/app",
}


@pytest.mark.parametrize("kind", SECRETS)
def test_a_well_known_form(kind: str) -> None:
    assert scan(f"The value is {SECRETS[kind]} since May.") == [kind]
    assert scan(f"值是 `{SECRETS[kind]}`。") == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "password: hunter2-Blue",
        "The password is Tr0ub4dor&3",
        "密码是 Kx9!mmPq",
        "API key = 8f14e45fceea167a5a36",
        "token：a1B2c3D4e5F6",
        "Authorization: Bearer 9f86d081884c7d659a2feaa0c55ad015",
        "DB_PASSWORD=S3cure!Pass",
        "口令：Zx81!spectrum",
    ],
)
def test_a_password_that_is_told(text: str) -> None:
    assert scan(text) == ["password or key"]


@pytest.mark.parametrize(
    "text",
    [
        "password: at least 12 characters",
        "The password is stored in 1Password.",
        "密码是 8 位以上",
        "API key: <your key>",
        "token: ${GITHUB_TOKEN}",
        "password = os.environ['PW2']",
        "token: ghp_...",
        "secret: ********",
        "password: changeme123",
        "sk-learn is a library",
        "Task SK-123 is done",
        "https://user@example.com/path",
        "postgres://localhost:5432/app",
        "The token is valid for 24h.",
        "the eyJ prefix marks a JSON Web Token",
        "hf_hub is a package",
        "密钥是 deploy 用的",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert scan(text) == []
