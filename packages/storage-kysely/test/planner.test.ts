import { overEveryEngine } from './engines/index.ts'
import { plansAreSteady } from './planner/plans-are-steady.ts'

overEveryEngine(engine => plansAreSteady(engine))
