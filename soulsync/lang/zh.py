"""中文文案：键是英文原文，占位符必须一致。"""

from __future__ import annotations

TEXTS: dict[str, str] = {}
