import { timeZoneSchema } from './instagram-queue.api';

it('knows which names are zones', () => {
  const isTimeZone = (name: string): boolean => timeZoneSchema.safeParse(name).success;
  expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Olympus')]).toEqual([true, true, false]);
});
