import { replyFor } from '../http/error.filter';

/** Rejects with status and text of the response that the error filter sends for the error of `call`. */
export const asReply = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    const { status, error: message } = replyFor(error);
    throw Object.assign(new Error(message), { status });
  });
