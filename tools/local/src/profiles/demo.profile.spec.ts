import { SERVICES, type Service } from '@autoposter/config';
import { developmentProfile } from './demo.profile';

const ADDRESS = 'http://127.0.0.1:3000';
const welcome = (services: readonly Service[], console: boolean) =>
  developmentProfile().welcome(ADDRESS, { ADMIN_EMAILS: 'admin@example.com' }, { services, console });

describe('developmentProfile.welcome', () => {
  it('tells how to sign in and where debuggers attach when everything runs', () => {
    const text = welcome(SERVICES, true);
    expect(text).toContain(`Running for development: Autoposter at ${ADDRESS}\n  Sign in`);
    expect(text).toContain('gateway 9229, downloader 9230');
    expect(text).not.toContain('adds the console');
  });

  it('promises no console when only the gateway runs', () => {
    const text = welcome(['gateway'], false);
    expect(text).toContain(`Running for development: gateway at ${ADDRESS}`);
    expect(text).toContain('adds the console');
    expect(text).not.toMatch(/Sign in|reloads/u);
  });

  it('names no address when only a worker runs', () => {
    expect(welcome(['ai-worker'], false)).toBe(
      'Running for development: ai-worker\n  A service restarts when its sources change. Ports for debuggers: ai-worker 9232.\n  Stop with Ctrl-C.',
    );
  });
});
