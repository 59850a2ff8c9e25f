import { type Desk, PATIENCE_MS } from './desk';

/** Looks through what was given up, asks for one of it again. */
export async function resubmit({ go, hands, list, page, told }: Desk): Promise<void> {
  await go('Pipeline');
  for (const stage of ['DMCA', 'All stages']) await hands.choose(list('Stage'), stage);
  const replay = page.getByRole('main').getByRole('button', { name: /^Replay: / });
  await replay.first().waitFor({ timeout: PATIENCE_MS });
  await hands.press(replay);
  await told(/^Asked again: /);
  await hands.somewhere();
}
