import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const generate = (...args: string[]) =>
  spawnSync(process.execPath, ['node_modules/nx/dist/bin/nx.js', 'g', ...args, '--dry-run'], { cwd: ROOT, encoding: 'utf8' });

/** A dry run fails when a file no longer has the place that a generator extends. */
describe('generators', () => {
  it.each([
    ['stage', 'review', ['apps/ai-worker/src/review/review.stage.ts', 'stage-catalogue.ts', 'values.yaml', 'migrations.ts']],
    ['resource', 'comments', ['libs/contracts/src/api/comments.api.ts', 'apps/gateway/src/comments/comments.service.ts', 'app.module.ts']],
    ['screen', 'comments', ['apps/console/src/screens/comments/comments.screen.tsx', 'router.tsx']],
  ])('find every place that a new %s extends', (name, argument, files) => {
    const { status, stdout, stderr } = generate(`./tools/nx:${name}`, argument);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    for (const file of files) expect(stdout).toContain(file);
  });

  it('refuse a stage after the last item stage', () => {
    const { status, stdout, stderr } = generate('./tools/nx:stage', 'review', '--after=ai');
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain('must be an item stage other than the last one');
  });
});
