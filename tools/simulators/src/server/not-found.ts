import { json, type Answer } from './answer';
import type { SimRequest } from './sim-request';

export type NotFound = (request: SimRequest) => Answer;

export const notFound: NotFound = () => json(404, { message: 'Not Found', error: 404 });
