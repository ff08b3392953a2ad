import { overEveryEngine } from '../engines/index.ts'
import { plansAreSteady } from './plans-are-steady.ts'

overEveryEngine(engine => plansAreSteady(engine))
