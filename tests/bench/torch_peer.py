"""torch.distributed.pipelining on the same chain of products as tests/bench/pipeline.cpp: GPipe, two gloo processes, one thread
each, forward only. Prints one JSON object: makespan of a step and time of one stage alone, both medians."""

import argparse
import json
import os
import queue
import socket
import statistics
import sys
import time
import warnings

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe


class Half(torch.nn.Module):
    def __init__(self, layers, width):
        super().__init__()
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(torch.eye(width), requires_grad=False) for _ in range(layers)])

    def forward(self, x):
        for weight in self.weights:
            x = torch.mm(x, weight)
        return x


def measure(rank, options, port, results):
    warnings.filterwarnings("ignore")
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    half = Half(options.layers // 2, options.width)
    x = torch.ones(options.rows * options.microbatches, options.width)
    stage = PipelineStage(half, rank, 2, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, options.microbatches)
    makespans = []
    with torch.no_grad():
        for _ in range(options.repeats + 1):
            dist.barrier()
            start = time.perf_counter()
            schedule.eval(x) if rank == 0 else schedule.eval()
            dist.barrier()
            makespans.append(time.perf_counter() - start)
        dist.barrier()
        if rank == 0:  # the other process waits in the barrier: the stage is alone
            part = x[: options.rows]
            times = []
            for _ in range(15):
                start = time.perf_counter()
                half(part)
                times.append(time.perf_counter() - start)
            results.put({"makespan_seconds": statistics.median(makespans[1:]), "stage_seconds": statistics.median(times[3:])})
        dist.barrier()
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    for name in ("layers", "width", "rows", "microbatches", "repeats"):
        parser.add_argument("--" + name, type=int, required=True)
    parser.add_argument("--timeout", type=float, default=120, help="seconds until it is given up")
    options = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = mp.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=measure, args=(rank, options, port, results)) for rank in range(2)]
    for worker in workers:
        worker.start()
    try:
        figures = results.get(timeout=options.timeout)
        for worker in workers:
            worker.join(timeout=10)
        print(json.dumps(figures))
    except queue.Empty:
        sys.exit(f"no figures after {options.timeout} s; exit codes of the processes: {[w.exitcode for w in workers]}")
    finally:  # one that died leaves the other waiting for it
        for worker in workers:
            worker.kill()


if __name__ == "__main__":
    main()
