import { text } from 'node:stream/consumers'

/** Where a key may come from beside the command line. */
export interface KeySources {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream
}

/** A key of the command line; `-` reads it from stdin, and without one it is that of the environment. Undefined where there is none. */
export async function keyFrom(
  given: string | undefined,
  variable: string,
  { env, stdin }: KeySources,
): Promise<string | undefined> {
  if (given === '-') return (await text(stdin)).trim()
  return given ?? env[variable]
}
