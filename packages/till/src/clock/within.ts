/** Waits for `event`, but no longer than `milliseconds`. The wait alone keeps no process alive. */
export async function within(milliseconds: number, event: Promise<void>): Promise<void> {
  const time = Promise.withResolvers<void>()
  const timer = setTimeout(time.resolve, milliseconds).unref()
  await Promise.race([event, time.promise])
  clearTimeout(timer)
}
