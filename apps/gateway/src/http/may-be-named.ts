import { api, type Route } from '@autoposter/contracts';
import { isChange } from './change';

/** Whether a caller may name a call, so that it is done once. Other methods are done once by what they are, and so is a sign-out. */
export const mayBeNamed = (route: Route): boolean => route.method === 'POST' && isChange(route) && route !== api.auth.logout;
