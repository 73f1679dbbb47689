from __future__ import annotations

import pytest

from soulsync.formats import agent

GOOD: dict[str, object] = {
    "id": "0b6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10",
    "name": "kaoru",
    "displayName": "薰",
    "pronouns": "",
    "description": "",
    "color": "#7C6CF2",
    "language": "zh-CN",
    "createdAt": "2026-09-28T02:00:00.000Z",
}


def test_a_good_agent_has_no_problems_and_is_written_as_the_spec_says() -> None:
    assert agent.problems(GOOD) == []
    assert agent.problems({**GOOD, "seed": True, "mine": {"x": 1}}) == []
    data = agent.render(GOOD)
    assert data.startswith(b'{\n  "id": "0b6d')
    assert "薰".encode() in data
    assert data.endswith(b'Z"\n}\n')
    assert agent.parse(data) == GOOD
    assert list(agent.parse(data)) == list(GOOD)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "0b6d2c1e-6c1f-3a53-9a57-2f1f0f3c9d10"),
        ("id", "0b6d2c1e-6c1f-4a53-ca57-2f1f0f3c9d10"),
        ("id", "0b6d2c1e6c1f4a539a572f1f0f3c9d10"),
        ("id", "gb6d2c1e-6c1f-4a53-9a57-2f1f0f3c9d10"),
        ("id", 5),
        ("name", "Kaoru"),
        ("name", "-k"),
        ("name", "k" * 41),
        ("displayName", " "),
        ("displayName", None),
        ("color", "#7C6CF"),
        ("color", "#7C6CFG"),
        ("color", "7C6CF2A"),
        ("language", ""),
        ("language", "zh_CN"),
        ("language", "zh-"),
        ("language", "languages-x"),
        ("language", "中文"),
        ("createdAt", "2026-09-28T02:00:00Z"),
        ("createdAt", "2026-09-28T02:00:00.000+00:00"),
        ("createdAt", "2026-09-31T02:00:00.000Z"),
        ("createdAt", "0001-01-01T00:00:00.000Zz"),
        ("pronouns", 1),
        ("description", ["x"]),
        ("seed", False),
        ("seed", "true"),
    ],
)
def test_problems(field: str, value: object) -> None:
    found = agent.problems({**GOOD, field: value})
    assert len(found) == 1
    assert found[0].startswith(field + " ")


def test_missing_fields() -> None:
    assert [problem.split()[0] for problem in agent.problems({})] == [
        "id",
        "name",
        "displayName",
        "color",
        "language",
        "createdAt",
    ]


@pytest.mark.parametrize("language", ["en", "zh-CN", "zh-Hant-TW", "sl-rozaj-biske", "de-1996", "x-klingon"])
def test_languages(language: str) -> None:
    assert agent.problems({**GOOD, "language": language}) == []


def test_agent_id() -> None:
    assert agent.agent_id(b'{"id": "x"}') == "x"
    assert [agent.agent_id(data) for data in (b"{", b"{}", b'{"id": 5}', b'{"id": ""}', b"[]")] == [None] * 5


def test_is_seed() -> None:
    assert [agent.is_seed({"seed": value}) for value in (True, False, 1, "true")] == [True, False, False, False]
    assert not agent.is_seed({})
