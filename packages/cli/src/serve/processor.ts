import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PaymentProcessor } from '@tillkit/checkout'
import { demoProcessor } from './demo-processor.ts'
import type { LoadedProcessor } from './loaded-processor.ts'

/**
 * The processor that `--processor` names: `demo`, or a module that exports it as `processor` or by default, and `close` where
 * it has something to end. Throws an error whose message says what is wrong with the module.
 */
export async function loadProcessor(name: string): Promise<LoadedProcessor> {
  if (name === 'demo') return demoProcessor()
  let module: Record<string, unknown>
  try {
    module = await import(pathToFileURL(resolve(name)).href)
  } catch (error) {
    const [why] = (error as Error).message.split(/\n| imported from /)
    throw new Error(`--processor ${name} cannot be loaded: ${why}`)
  }
  const processor = (module.processor ?? module.default) as PaymentProcessor | undefined
  if (typeof processor?.charge !== 'function') {
    throw new Error(`--processor ${name} must export processor, an object with charge`)
  }
  if (processor.lookup !== undefined && typeof processor.lookup !== 'function') {
    throw new Error(`--processor ${name} exports a processor whose lookup is no function`)
  }
  const { close } = module
  return {
    processor,
    close: async () => {
      if (typeof close === 'function') await close()
    },
  }
}
