"""Issues of a Japanese tracker: attributes in two columns, dashes for what is empty, journals that
say what a field was before, notes that are counted, an address that the site itself redirects."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, redirect

ROWS = [
    # number, subject, status, priority, assignee, started, due, hours, former assignee, notes
    (3021, "請求書PDFの文字化け", "進行中", "高め", "佐々木 美咲", "2026-05-03", "2026-05-20", "12.5", "田村 健", 2),
    (3027, "ログイン画面の遅延", "解決", "通常", "小野寺 拓也", "2026-05-08", None, "3.0", "佐々木 美咲", 4),
    (3033, "CSV出力の列順", "新規", "低め", None, "2026-05-11", None, None, "田村 健", 1),
    (3040, "消費税の端数処理", "フィードバック", "急いで", "松永 陽子", "2026-06-01", "2026-06-15", "8.0", "小野寺 拓也", 3),
    (3048, "メール通知が届かない", "終了", "通常", "田村 健", "2026-06-09", "2026-06-12", "1.5", "松永 陽子", 5),
    (3055, "住所検索の精度", "進行中", "通常", "松永 陽子", "2026-07-02", "2026-08-31", "20.0", "田村 健", 2),
]  # fmt: skip
TEXTS = (
    "再現手順を確認しました。",
    "修正をブランチに反映しました。",
    "レビューをお願いします。",
    "検証環境で確認済みです。",
    "本番に反映しました。",
)


def _day(iso: str) -> str:
    year, month, day = iso.split("-")
    return f"{year}年{int(month)}月{int(day)}日"


def _record(row: tuple) -> str:
    number, subject, status, priority, who, started, due, hours, former, notes = row
    pair = "<div class=attribute><div class=label>{}:</div><div class=value>{}</div></div>".format
    journals = "".join(
        f"<div class=journal><h4><a href='#note-{n + 1}'>#{n + 1}</a> {former}さんが{n + 2}日前に更新</h4>"
        + (
            f"<ul><li><b>担当者</b> を <i>{former}</i> から <i>{who or '-'}</i> に変更</li><li><b>開始日</b> を <i>2026年2月{n + 4}日</i> から <i>{_day(started)}</i> に変更</li></ul>"
            if n == 0
            else ""
        )
        + f"<p>{TEXTS[n]}</p></div>"
        for n in range(notes)
    )
    return (
        f"<!doctype html><html lang=ja><head><meta charset=utf-8><title>バグ #{number}: {subject} - 販売管理 - Redmine</title>"
        "<style>.attributes{display:grid;grid-template-columns:1fr 1fr;width:700px}.attribute{display:flex}.label{width:120px;font-weight:bold}</style></head>"
        "<body><div id=top-menu><a href=/>ホーム</a> <a href=/my>マイページ</a> <a href=/projects>プロジェクト</a></div><div id=content>"
        f"<h2>バグ #{number}</h2><div class=issue><h3>{subject}</h3><p>松永 陽子 が{_day(started)}に追加.</p><div class=attributes>"
        + pair("ステータス", status) + pair("開始日", _day(started)) + pair("優先度", priority)
        + pair("期日", _day(due) if due else "-") + pair("担当者", f"<a href=/users/9>{who}</a>" if who else "-")
        + pair("予定工数", f"{hours} 時間" if hours else "-") + pair("カテゴリ", "-")
        + f"</div></div><h3>履歴</h3>{journals}</div></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    number, _, status, priority, who, started, due, hours, former, notes = row
    truth = {
        "status": status,
        "priority": priority,
        "assignee": who,
        "start_date": started,
        "due_date": due,
        "estimated_hours": float(hours) if hours else None,
        "note_count": notes,
    }
    cites = {
        "status": at(status, after="ステータス"),
        "priority": at(priority, after="優先度"),
        "assignee": at(who or "-", after="担当者:"),
        "start_date": at(_day(started), after="開始日:"),
        "due_date": at(_day(due) if due else "-", after="期日:"),
        "estimated_hours": at(hours or "-", after="予定工数"),
        "note_count": [at(TEXTS[n]) for n in range(notes)],
    }
    wrong = [
        Wrong("older", {"start_date": "2026-02-04"}, {"start_date": at("2月4日")} if place % 2 else {}),
        Wrong("older", {"assignee": former}, {"assignee": at("担当者", former)} if place % 2 else {},
              name="former assignee"),
    ]  # fmt: skip
    return Sample(f"bug-{number}", f"/issues/{number}.html", truth, cites, (), wrong)


SPEC = {
    "goal": "Read the issue, and count the notes in its history.",
    "read_only": True,
    "output_schema": {
        "status": "string",
        "priority": "string",
        "assignee": "string | null",
        "start_date": "date",
        "due_date": "date | null",
        "estimated_hours": "number | null",
        "note_count": "integer",
    },
}
PAGES: dict[str, Page] = {}
for _row in ROWS:  # the old address of an issue leads to its new one
    PAGES[f"/issues/{_row[0]}.html"] = redirect(f"/projects/hanbai/issues/{_row[0]}")
    PAGES[f"/projects/hanbai/issues/{_row[0]}"] = _record(_row)
PLAY = Play("japanese_issues", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
