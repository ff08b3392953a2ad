import { shortForm } from '../short-form.ts'

shortForm('standby')
