import { overEveryServer } from '../engines/index.ts'
import { plansAreSteady } from './plans-are-steady.ts'

overEveryServer(engine => plansAreSteady(engine, { partitions: 4 }))
