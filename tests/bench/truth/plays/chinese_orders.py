"""Orders of a Chinese shop's back office: a list that cuts the goods' names, and a drawer-like page
of cards whose labels stand above their values; amounts in yuan, days written out."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, click

ROWS = [
    # number, goods, buyer, amount, freight, placed, shipped, carrier, state, parcels, old amount
    ("DD20260503001", "【包邮】北欧风实木餐桌椅组合一桌四椅（胡桃木色加厚款）", "林晓彤", "1,250.00", "80.00", "2026-05-03", "2026-05-05", "顺丰速运", "已发货", ["SF10027711", "SF10027712"], "1,390.00"),
    ("DD20260504007", "【包邮】儿童护眼台灯可充电三档调光学习专用（蓝色）", "王志远", "189.90", "0.00", "2026-05-04", "2026-05-04", "中通快递", "已签收", ["ZT5520918"], "209.00"),
    ("DD20260508012", "【包邮】不锈钢保温杯大容量车载便携泡茶杯（800毫升）", "陈雨桐", "96.50", "12.00", "2026-05-08", None, None, "待发货", [], "108.00"),
    ("DD20260511003", "【包邮】电动升降办公桌双电机静音记忆高度（白色1.6米）", "赵国栋", "2,499.00", "150.00", "2026-05-11", "2026-05-14", "德邦物流", "运输中", ["DB88301", "DB88302", "DB88303"], "2,699.00"),
    ("DD20260519020", "【包邮】纯棉四件套床上用品裸睡亲肤款（1.8米床）", "林晓彤", "368.00", "0.00", "2026-05-19", "2026-05-20", "圆通速递", "已签收", ["YT7719046"], "428.00"),
]  # fmt: skip
HEAD = "<!doctype html><html lang=zh-CN><head><meta charset=utf-8><title>{}</title><style>.c{{display:inline-block;width:190px;margin:8px}}.c b{{display:block;color:#888;font-weight:400}}del{{color:#aaa}}</style></head><body><nav><a href=/home>首页</a> <a href=/orders>订单管理</a> <a href=/goods>商品管理</a></nav><main>"


def _day(iso: str | None) -> str:
    return f"{iso[:4]}年{int(iso[5:7])}月{int(iso[8:])}日" if iso else "--"


def _list() -> str:
    body = "".join(
        f"<tr><td><a href=/orders/{r[0]}>{r[0]}</a></td><td>{r[1][:12]}…</td><td>{r[2]}</td><td>¥{r[3]}</td><td>{r[8]}</td></tr>"
        for r in ROWS
    )
    return (
        HEAD.format("订单列表")
        + f"<h1>订单列表</h1><p>共 5 条</p><table><thead><tr><th>订单编号</th><th>商品</th><th>买家</th><th>实付金额</th><th>状态</th></tr></thead><tbody>{body}</tbody></table></main></body></html>"
    )


def _record(row: tuple) -> str:
    number, goods, buyer, amount, freight, placed, shipped, carrier, state, parcels, old = row
    card = "<div class=c><b>{}</b><span>{}</span></div>".format
    sent = "".join(
        f"<tr><td>{p}</td><td>{carrier}</td><td>{_day(shipped)}</td></tr>" for p in parcels
    )
    return (
        HEAD.format(f"订单 {number}") + f"<h1>订单详情</h1><h2>{number}</h2>"
        + card("商品名称", goods) + card("买家", buyer) + card("收货人", f"{buyer[0]}先生/女士")
        + card("商品原价", f"<del>¥{old}</del>") + card("实付金额", f"¥{amount}") + card("运费", f"¥{freight}") + card("下单时间", _day(placed))
        + card("发货时间", _day(shipped)) + card("物流公司", carrier or "--") + card("订单状态", state)
        + (f"<h3>包裹</h3><table><thead><tr><th>运单号</th><th>物流</th><th>日期</th></tr></thead><tbody>{sent}</tbody></table>" if parcels else "<h3>包裹</h3><p>暂无包裹</p>")
        + "</main></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    number, goods, buyer, amount, freight, placed, shipped, carrier, state, parcels, old = row
    on = f"/orders/{number}"
    other = ROWS[(place + 1) % len(ROWS)]
    value = lambda text: float(text.replace(",", ""))
    truth = {
        "product": goods,
        "buyer": buyer,
        "amount_paid": value(amount),
        "ordered_on": placed,
        "shipped_on": shipped,
        "carrier": carrier,
        "status": state,
        "tracking_numbers": parcels,
    }
    cites = {
        "product": at(goods, on=on),
        "buyer": at(buyer, after="买家", on=on),
        "amount_paid": at(amount, after="实付金额", on=on),
        "ordered_on": at(_day(placed), after="下单时间", on=on),
        "shipped_on": at(_day(shipped), after="发货时间", on=on),
        "carrier": at(carrier or "--", after="物流公司", on=on),
        "status": at(state, after="订单状态", on=on),
        "tracking_numbers": [at(p, on=on) for p in parcels] or at("暂无包裹", on=on),
    }
    cut = goods[:12] + ("…" if place % 2 else "")
    wrong = [
        Wrong("cut", {"product": cut}, {"product": at(number, "…", on="/orders")} if place != 2 else {}),
        Wrong("older", {"amount_paid": value(old)}, {"amount_paid": at(old, on=on)}, name="the price that is struck"),
        Wrong("other record", {"amount_paid": value(other[3])}, {"amount_paid": at(other[0], other[3], on="/orders")} if place % 2 == 0 else {}),
        Wrong("other record", {"product": other[1][:12] + "…"}, {"product": at(other[0], "…", on="/orders")}, name="another row’s goods"),
    ]  # fmt: skip
    return Sample(number, "/orders", truth, cites, (click(number, role="link"),), wrong)


SPEC = {
    "goal": "Open the order {sample_id} and read it, with the numbers of all its parcels.",
    "read_only": True,
    "output_schema": {
        "product": "string",
        "buyer": "string",
        "amount_paid": "number",
        "ordered_on": "date",
        "shipped_on": "date | null",
        "carrier": "string | null",
        "status": "string",
        "tracking_numbers": "array",
    },
}
PAGES: dict[str, Page] = {"/orders": _list()} | {f"/orders/{row[0]}": _record(row) for row in ROWS}
PLAY = Play("chinese_orders", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
