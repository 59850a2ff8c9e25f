import { z } from 'zod';
import { LIMITS } from '../limits';
import { RIGHTS_STAGE } from '../stages/stages';
import { PLATFORMS } from '../vocabulary';
import { acceptedItemResponseSchema, listOf, processAllBody, processAllResponseSchema, readyQuerySchema } from './envelope.api';
import { itemProgressFields } from './item-progress.api';
import { defineRoutes, get, post } from './route';

/** A downloaded file that waits for DMCA protection. `fileSize` in bytes. */
export const readyForDmcaSchema = z.object({
  id: z.uuid(),
  fileName: z.string(),
  fileType: z.string(),
  platform: z.enum(PLATFORMS),
  subreddit: z.string().nullable(),
  author: z.string().nullable(),
  fileSize: z.int().min(0),
  title: z.string().optional(),
  ...itemProgressFields,
});
export type ReadyForDmca = z.infer<typeof readyForDmcaSchema>;

export const dmcaProcessAllBodySchema = z.strictObject(processAllBody(LIMITS.processAll[RIGHTS_STAGE]));
export type DmcaProcessAllBody = z.infer<typeof dmcaProcessAllBodySchema>;

export const dmcaRoutes = defineRoutes({
  ready: get('/api/dmca/ready', 'The first files that wait for DMCA protection, and how many there are', {
    query: readyQuerySchema,
    response: listOf(readyForDmcaSchema),
  }),
  processAll: post('/api/dmca/process-all', 'Asks for DMCA protection of all ready files', {
    body: dmcaProcessAllBodySchema,
    response: processAllResponseSchema,
  }),
  process: post('/api/dmca/process/:id', 'Asks for DMCA protection of one file', { response: acceptedItemResponseSchema }),
});
