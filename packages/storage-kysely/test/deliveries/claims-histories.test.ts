import { overEveryEngine } from '../engines/index.ts'
import { claimsHistories } from './claims-histories.ts'

overEveryEngine(({ create }) => claimsHistories(create))
