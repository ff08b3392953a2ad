import type { Rule } from '../../rule.ts'

/** No process ends unless it is killed or asked to, and then it does. */
export const processes: Rule = ({ casualties }) => casualties
