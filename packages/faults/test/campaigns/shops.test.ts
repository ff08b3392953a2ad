import { shortForm } from '../short-form.ts'

shortForm('shops')
