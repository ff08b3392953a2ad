import type { Command } from 'commander'
import { ReaderGone } from '../output/write.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { EXIT } from './exit-status.ts'
import { Refused, UsageError } from './usage-error.ts'

/** What is said of an error, on stderr, and with which status the command ends. */
export interface Failure {
  status: number
  /** Sentences without a full stop, each a line; none where there is nobody to tell, or all is said. */
  lines: readonly string[]
}

/** What is said of an error. Never a stack trace, unless it is a fault of ours and `debug` is set. */
export async function failureOf(
  error: unknown,
  command: Command | undefined,
  debug: boolean,
): Promise<Failure> {
  if (error instanceof ReaderGone) return { status: EXIT.done, lines: [] }
  if (error instanceof SettingsError) return { status: EXIT.usage, lines: error.mistakes }
  if (error instanceof UsageError) return { status: EXIT.usage, lines: [error.message] }
  if (error instanceof Refused) return { status: EXIT.refused, lines: [error.message] }
  if (error instanceof Error && error.name.startsWith('Commander')) {
    const { exitCode, code } = error as Error & { exitCode: number; code: string }
    // What is wrong with the words has been written by then, and so has the help.
    return { status: exitCode === 0 && code !== 'commander.help' ? EXIT.done : EXIT.usage, lines: [] }
  }
  // Loaded with the first of its errors: a command that goes well need not wait for it.
  const { TillError } = await import('@tillkit/domain')
  if (error instanceof TillError || (error instanceof Error && error.name === 'QrError')) {
    const { code, message } = error as Error & { code: string }
    const own = code === 'invalid_input'
    return { status: own ? EXIT.usage : EXIT.refused, lines: [own ? inFlags(message, command) : message] }
  }
  const { DatabaseError, UnreadableRowError } = await import('@tillkit/storage')
  if (error instanceof DatabaseError || error instanceof UnreadableRowError) {
    return {
      status: EXIT.database,
      lines: [error.message.replace('call storage.migrate()', 'tillkit migrate makes them')],
    }
  }
  const { code, message, stack } = Object(error) as { code?: unknown; message?: unknown; stack?: unknown }
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) {
    return { status: EXIT.refused, lines: [String(message)] }
  }
  const lines = [`a fault of tillkit itself: ${String(message ?? error)} (TILLKIT_DEBUG=1 shows where)`]
  return { status: EXIT.fault, lines: debug ? [...lines, String(stack)] : lines }
}

/** `webhookUrl must be https` with the name of the flag, or the argument, that it was said by. */
function inFlags(message: string, command: Command | undefined): string {
  return message.replace(/^(?:\w+\.)*(\w+)(?= )/, (found, name: string) => {
    const option = command?.options.find(option => option.attributeName() === name)
    if (option) return option.long ?? found
    const argument = command?.registeredArguments.find(argument => camelCase(argument.name()) === name)
    return argument ? `<${argument.name()}>` : found
  })
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
