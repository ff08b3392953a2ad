import type { Logger } from './options.ts'

const nothing = () => {}

/** The logger of a host that gave none. */
export const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
