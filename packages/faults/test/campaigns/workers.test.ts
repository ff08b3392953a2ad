import { shortForm } from '../short-form.ts'

shortForm('workers')
