/** True when this process, or the machine, may open no more files: nobody was dialled, and no receiver is to blame. */
export function isOutOfFiles(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'EMFILE' || code === 'ENFILE'
}
