import type { PaymentProcessor } from '@tillkit/checkout'
import { type HostModule, loadModule } from '../../program/host-module.ts'
import { UsageError } from '../../program/usage-error.ts'
import { demoProcessor } from './demo-processor.ts'
import type { LoadedProcessor } from './loaded-processor.ts'

/**
 * The processor that `--processor` names: `demo`, or a module that exports it as `processor` or by default, and `close` where
 * it has something to end. Throws an error whose message says what is wrong with the module.
 */
export async function loadProcessor(name: string): Promise<LoadedProcessor> {
  if (name === 'demo') return demoProcessor()
  const { exports, close } = await loadModule('--processor', name)
  try {
    return { processor: processorOf(exports, name), close }
  } catch (error) {
    await close()
    throw error
  }
}

function processorOf(exports: HostModule['exports'], name: string): PaymentProcessor {
  const processor = (exports.processor ?? exports.default) as PaymentProcessor | undefined
  if (typeof processor?.charge !== 'function') {
    throw new UsageError(`--processor ${name} must export processor, an object with charge`)
  }
  if (processor.lookup !== undefined && typeof processor.lookup !== 'function') {
    throw new UsageError(`--processor ${name} exports a processor whose lookup is no function`)
  }
  return processor
}
