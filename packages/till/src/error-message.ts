/** What an error says, for a log line. Whatever was thrown, this does not throw. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'what was thrown cannot be read'
  }
}
