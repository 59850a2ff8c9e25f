import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from '@autoposter/observability';
import type { Response } from 'express';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { LOGGER } from '../wiring/systems';
import { SignInProblem } from './sign-in-problem';

@Catch(SignInProblem)
export class SignInFilter implements ExceptionFilter<SignInProblem> {
  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(problem: SignInProblem, host: ArgumentsHost): void {
    this.logger.warn({ reason: problem.reason, err: problem.cause }, problem.message);
    host.switchToHttp().getResponse<Response>().redirect(302, `${this.settings.publicUrl}${problem.path}`);
  }
}
