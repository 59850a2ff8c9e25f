import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';
import { BodyGuard } from '../http/body.guard';
import { ThrottleGuard, THROTTLING } from '../http/throttle.guard';
import { DatabaseClock } from '../bootstrap/database-clock';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { GoogleGuard, GoogleStrategy } from './google.strategy';
import { SessionGuard } from './session.guard';
import { SignInProvider } from './sign-in-provider';
import { SessionTokens } from './session-tokens';

@Global()
@Module({
  imports: [PassportModule, ThrottlerModule.forRoot(THROTTLING)],
  controllers: [AuthController],
  providers: [
    {
      provide: SessionTokens,
      inject: [SETTINGS, DatabaseClock],
      useFactory: (settings: GatewaySettings, clock: DatabaseClock) => new SessionTokens(settings.keys.session, clock.now),
    },
    AuthService,
    SignInProvider,
    GoogleStrategy,
    GoogleGuard,
    ThrottleGuard,
    // In this order: throttling counts per session, and a body is read only after both.
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_GUARD, useExisting: ThrottleGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
  ],
  exports: [AuthService],
})
export class AuthModule {}
