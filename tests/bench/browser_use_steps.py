"""Measures the same three steps in browser-use; runs in an environment that has it installed.

The session is already open, and the model answers immediately. No other module imports this one.
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

    class ScriptedModel:
        """A chat model with scripted answers."""

        model = name = provider = model_name = "scripted"
        _verified_api_keys = True

        def __init__(self, script: list[dict]) -> None:
            self.script = list(script)

        async def ainvoke(self, messages, output_format=None, **kwargs):
            action = self.script.pop(0)
            content = {
                "thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": "",
                "action": [action],
            }  # fmt: skip
            completion = output_format.model_validate_json(json.dumps(content))
            return ChatInvokeCompletion(completion=completion, usage=None)

    profile = BrowserProfile(
        headless=True,
        executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
        chromium_sandbox=False,
        enable_default_extensions=False,
        keep_alive=True,
    )
    session = BrowserSession(browser_profile=profile)
    await session.start()
    durations = []
    for _ in range(rounds + 1):
        script = [
            {"navigate": {"url": url, "new_tab": False}},
            {"wait": {"seconds": 0}},
            {"done": {"text": "ok", "success": True}},
        ]
        agent = Agent(
            task="x",
            llm=ScriptedModel(script),
            browser_session=session,
            use_vision=False,
            use_judge=False,
        )
        started = time.perf_counter()
        await agent.run(max_steps=3)
        durations.append(time.perf_counter() - started)
    await session.kill()
    print(f"{'browser-use, three steps':28}{median(durations[1:]):9.3f}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
