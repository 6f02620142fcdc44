"""What a step holds: the observation, the actions, what came back, and the texts of both."""
