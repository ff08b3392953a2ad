/**
 * The command `tillkit`, as a function: `run` takes the words of a command line and returns the exit status.
 *
 * @packageDocumentation
 */
export { run } from './program/run.ts'
export type { Surroundings, TextStream } from './program/surroundings.ts'
