/**
 * What `promise` gives, or `late()` where it has not settled after `seconds`: nobody waits for ever for a storage that says
 * nothing. The wait keeps the process alive.
 */
export async function inTime<Result>(
  promise: Promise<Result>,
  seconds: number,
  late: () => Result,
): Promise<Result> {
  const time = Promise.withResolvers<Result>()
  const timer = setTimeout(() => {
    try {
      time.resolve(late())
    } catch (error) {
      time.reject(error)
    }
  }, seconds * 1000)
  return Promise.race([promise, time.promise]).finally(() => clearTimeout(timer))
}
