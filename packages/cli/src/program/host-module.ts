import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from './usage-error.ts'

/** A module of the host's. */
export interface HostModule {
  /** What it exports. */
  exports: Readonly<Record<string, unknown>>
  /** Calls its `close`, where it exports one. */
  close(): Promise<void>
}

/** Imports the module that a flag names. Throws `UsageError` where it cannot be loaded. */
export async function loadModule(flag: string, name: string): Promise<HostModule> {
  let exports: Record<string, unknown>
  try {
    exports = await import(pathToFileURL(resolve(name)).href)
  } catch (error) {
    const [why] = (error as Error).message.split(/\n| imported from /)
    throw new UsageError(`${flag} ${name} cannot be loaded: ${why}`)
  }
  const { close } = exports
  return {
    exports,
    close: async () => {
      if (typeof close === 'function') await close()
    },
  }
}
