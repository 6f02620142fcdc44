"""Topics of a Korean forum: posts that are rendered only when they are scrolled to, an icon that
says that a topic is solved, replies that are counted by the page, an edited title."""

from __future__ import annotations

from bench.truth.corpus import Do, Page, Play, Sample, Wrong, at

ROWS = [
    # id, title, former title, starter, started, replies, solved, last poster, category
    (5101, "백업 복원 후 권한 오류가 납니다", "백업 문제", "김하윤", "2026-05-03", 26, True, "박도현", "설치"),
    (5108, "모바일에서 표가 잘립니다", "표 깨짐", "이서준", "2026-05-09", 31, False, "최은서", "화면"),
    (5113, "알림 메일을 하루 한 번만 받고 싶어요", "메일 질문", "정유나", "2026-05-21", 24, True, "김하윤", "알림"),
    (5120, "API 호출 한도는 어디서 바꾸나요", "API 한도", "오지훈", "2026-06-02", 28, True, "이서준", "개발"),
    (5126, "다크 모드 색상 제안", "색상", "한소희", "2026-06-14", 35, False, "정유나", "화면"),
]  # fmt: skip
SCRIPT = (
    "const box=document.getElementById('stream');let last=-1;function draw(){const first=Math.max(0,Math.floor(box.scrollTop/90)-1);if(first===last)return;last=first;"
    "const pad=document.getElementById('pad');pad.innerHTML='';for(let n=first;n<Math.min(posts.length,first+7);n++){const d=document.createElement('article');d.style.cssText=`position:absolute;top:${n*90}px;height:84px;left:0;right:0`;"
    "d.innerHTML=`<b>${posts[n][0]}</b><p>${posts[n][1]}</p>`;pad.append(d)}}box.addEventListener('scroll',draw);draw()"
)


def _day(iso: str) -> str:
    return f"{iso[:4]}년 {int(iso[5:7])}월 {int(iso[8:])}일"


def _posts(row: tuple) -> list[list[str]]:
    names = [other[3] for other in ROWS] + ["윤재원"]
    posts = [[names[n % len(names)], f"{n + 1}번째 글입니다."] for n in range(row[5])]
    return [
        *posts,
        [row[7], f"마지막 답글: 버전 {row[0] % 7}.{row[0] % 10}.2 에서 해결되었습니다."],
    ]


def _record(row: tuple) -> str:
    number, title, former, who, day, replies, solved, last, category = row
    icon = (
        "<svg role=img width=18 height=18 aria-label='해결됨'><circle cx=9 cy=9 r=8 /></svg>"
        if solved
        else "<svg role=img width=18 height=18 aria-label='미해결'><circle cx=9 cy=9 r=8 /></svg>"
    )
    posts = str(_posts(row)).replace("'", '"')
    near = ROWS[(ROWS.index(row) + 3) % len(ROWS)]
    return (
        f"<!doctype html><html lang=ko><head><meta charset=utf-8><title>{title} - {category} - 사용자 모임</title><style>#stream{{height:400px;overflow-y:scroll;position:relative;width:640px;border:1px solid #ddd}}#pad{{position:relative;height:{(replies + 1) * 90}px}}.map span{{margin-right:24px}}</style></head><body><header><a href=/latest>최신 글</a> <a href=/categories>카테고리</a></header><main>"
        f"<h1>{icon} {title}</h1><p><a href=/c/1>{category}</a></p><ul class=map><li><h4>작성</h4><span>{who}</span> <span>{_day(day)}</span></li><li><h4>답글</h4><span>{replies}</span></li><li><h4>마지막 답글</h4><span>{last}</span></li></ul>"
        f"<div id=stream tabindex=0 aria-label='글 목록'><div id=pad></div></div><p>제목이 “{former}”에서 바뀌었습니다.</p><h3>추천 글</h3><table><thead><tr><th>주제</th><th>작성</th><th>답글</th></tr></thead><tbody><tr><td><a href=/t/{near[0]}>{near[1]}</a></td><td>{near[3]}</td><td>{near[5]}</td></tr></tbody></table></main><script>const posts={posts};{SCRIPT}</script></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, title, former, who, day, replies, solved, last, category = row
    near = ROWS[(place + 3) % len(ROWS)]
    version = f"{number % 7}.{number % 10}.2"
    truth = {
        "title": title,
        "started_by": who,
        "started_on": day,
        "reply_count": replies,
        "solved": solved,
        "category": category,
        "fixed_in": version,
    }
    cites = {
        "title": at(title, role="heading"),
        "started_by": at(who, after="작성"),
        "started_on": at(_day(day)),
        "reply_count": at(str(replies), after="답글"),
        "solved": at("해결됨" if solved else "미해결"),
        "category": at(category, role="link"),
        "fixed_in": at(version),
    }
    wrong = [
        Wrong("older", {"title": former}, {"title": at(former)} if place % 2 else {}),
        Wrong("other record", {"reply_count": near[5]}, {"reply_count": at(near[1], str(near[5]))}),
        Wrong("misread", {"solved": not solved}, {"solved": at("해결됨" if solved else "미해결")}, name="an icon read the wrong way"),
        Wrong("other record", {"started_by": near[3]}, {"started_by": at(near[1], near[3])} if place % 2 else {}, name="suggested topic’s author"),
    ]  # fmt: skip
    way = (Do("scroll", at("글 목록"), {"direction": "bottom"}),)
    return Sample(f"t{number}", f"/t/{number}", truth, cites, way, wrong)


SPEC = {
    "goal": "Read the topic; its last post names the version in which it was fixed.",
    "read_only": True,
    "output_schema": {
        "title": "string",
        "started_by": "string",
        "started_on": "date",
        "reply_count": "integer",
        "solved": "boolean",
        "category": "string",
        "fixed_in": "string | null",
    },
}
PAGES: dict[str, Page] = {f"/t/{row[0]}": _record(row) for row in ROWS}
PLAY = Play("korean_forum", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
