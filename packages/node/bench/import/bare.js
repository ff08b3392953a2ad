import { tellAtRest } from './at-rest.js'

tellAtRest()
