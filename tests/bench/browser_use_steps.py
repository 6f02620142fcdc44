"""Runs in an environment of its own that has browser-use: the same three steps, its way.

The session is open already; the model answers at once. Not imported by anything here.
"""

import asyncio
import json
import shutil
import sys
import time
from statistics import median


async def main(url: str, rounds: int) -> None:
    from browser_use import Agent, BrowserProfile, BrowserSession
    from browser_use.llm.views import ChatInvokeCompletion

    class AtOnce:
        """A chat model that plays a script."""

        model = name = provider = model_name = "at-once"
        _verified_api_keys = True

        def __init__(self, script: list[dict]) -> None:
            self.script = list(script)

        async def ainvoke(self, messages, output_format=None, **kwargs):
            action = self.script.pop(0)
            content = {
                "thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": "",
                "action": [action],
            }  # fmt: skip
            made = output_format.model_validate_json(json.dumps(content))
            return ChatInvokeCompletion(completion=made, usage=None)

    profile = BrowserProfile(
        headless=True,
        executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
        chromium_sandbox=False,
        enable_default_extensions=False,
        keep_alive=True,
    )
    session = BrowserSession(browser_profile=profile)
    await session.start()
    taken = []
    for _ in range(rounds + 1):
        script = [
            {"navigate": {"url": url, "new_tab": False}},
            {"wait": {"seconds": 0}},
            {"done": {"text": "ok", "success": True}},
        ]
        agent = Agent(
            task="x", llm=AtOnce(script), browser_session=session, use_vision=False, use_judge=False
        )
        begun = time.perf_counter()
        await agent.run(max_steps=3)
        taken.append(time.perf_counter() - begun)
    await session.kill()
    print(f"{'browser-use, three steps':28}{median(taken[1:]):9.3f}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
