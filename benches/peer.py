"""What one writes with SimPy: an M/M/1 queue, as in its documentation, to hold our own against on the same machine.

Called with customers, load and seed, it prints one line of JSON: how many events SimPy handled, how many seconds that
took, and the mean response time, of which theory knows what it has to be. Every customer is a process that waits for
the server, is served and leaves; the source is another. Response times are added up, nothing else is kept.
"""

import json
import random
import sys
import time

import simpy


def main(customers, load, seed):
    chance = random.Random(seed)
    env = simpy.Environment()
    server = simpy.Resource(env)
    total = 0.0
    served = 0
    done = env.event()

    def customer():
        nonlocal total, served
        sent = env.now
        with server.request() as turn:
            yield turn
            yield env.timeout(chance.expovariate(1.0))
        total += env.now - sent
        served += 1
        if served == customers:
            done.succeed()

    def source():
        while True:
            yield env.timeout(chance.expovariate(load))
            env.process(customer())

    env.process(source())
    start = time.perf_counter()
    env.run(until=done)
    seconds = time.perf_counter() - start
    # Each event that is planned takes the next number; those still to come are a handful.
    events = next(env._eid)
    print(json.dumps({"events": events, "seconds": seconds, "mean": total / customers}))


main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
