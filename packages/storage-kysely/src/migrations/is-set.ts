/** Whether a flag is set that was asked for as 0 or 1: a host's driver may leave numbers as text, and what it makes of booleans nobody knows. */
export const isSet = (flag: unknown): boolean => Number(flag) === 1
