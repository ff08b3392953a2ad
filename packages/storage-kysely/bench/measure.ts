/** How long one round of one contender lasts. */
const ROUND = Number(process.env.TILLKIT_BENCH_MILLISECONDS ?? 700)
const ROUNDS = Number(process.env.TILLKIT_BENCH_ROUNDS ?? 5)

/** Does `work` in `lanes` at once for one round and returns how often it was done in a second. */
async function round(work: () => Promise<unknown>, lanes: number): Promise<number> {
  const begin = performance.now()
  let done = 0
  const lane = async () => {
    while (performance.now() - begin < ROUND) {
      await work()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return (done * 1000) / (performance.now() - begin)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Takes turns, so that whatever else the machine is doing meets both, and returns the medians: how often a second, and of
 * the rounds' own ratios.
 */
export async function compare(
  ours: () => Promise<unknown>,
  byHand: () => Promise<unknown>,
  lanes: number,
): Promise<{ ours: number; byHand: number; ratio: number }> {
  const rounds: { ours: number; byHand: number }[] = []
  for (let n = 0; n <= ROUNDS; n++) {
    const pair = { ours: await round(ours, lanes), byHand: await round(byHand, lanes) }
    // The first one warms up.
    if (n > 0) rounds.push(pair)
  }
  return {
    ours: median(rounds.map(pair => pair.ours)),
    byHand: median(rounds.map(pair => pair.byHand)),
    ratio: median(rounds.map(pair => pair.ours / pair.byHand)),
  }
}
