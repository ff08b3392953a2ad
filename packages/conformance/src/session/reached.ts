import { TooManyRequests } from '../network/pace.ts'
import { NoAnswer } from '../network/question.ts'
import { CannotTry } from '../report.ts'
import { NotTried } from './not-tried.ts'

/** What came of asking. Nobody there, or one who wants no questions, is `CannotTry`; `where` says which of several. */
export function reached<Result>(asking: Promise<Result>, where = ''): Promise<Result> {
  return asking.catch(error => {
    if (error instanceof NoAnswer)
      throw new CannotTry(`${where}no answer: ${error.message}`, { cause: error })
    if (error instanceof TooManyRequests || error instanceof CannotTry || error instanceof NotTried) {
      throw new CannotTry(`${where}${error.message}`, { cause: error })
    }
    throw new CannotTry(`${where}what was answered cannot be looked at: ${error}`, { cause: error })
  })
}
