import { z } from 'zod';
import { LIMITS } from '../limits';
import { PLATFORMS } from '../vocabulary';
import { acceptedItemResponseSchema, idParamsSchema, listOf, processAllBody, processAllResponseSchema } from './envelope.api';
import { itemProgressFields } from './item-progress.api';
import { defineRoutes } from './route';

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
export const readyForDmcaResponseSchema = listOf(readyForDmcaSchema);

export const dmcaProcessAllBodySchema = z.strictObject(processAllBody(LIMITS.processAll.dmca));
export type DmcaProcessAllBody = z.infer<typeof dmcaProcessAllBodySchema>;

export const dmcaRoutes = defineRoutes({
  ready: {
    method: 'GET',
    path: '/api/dmca/ready',
    access: 'admin',
    summary: 'Files that wait for DMCA protection',
    response: readyForDmcaResponseSchema,
  },
  processAll: {
    method: 'POST',
    path: '/api/dmca/process-all',
    access: 'admin',
    summary: 'Asks for DMCA protection of all ready files',
    body: dmcaProcessAllBodySchema,
    response: processAllResponseSchema,
  },
  process: {
    method: 'POST',
    path: '/api/dmca/process/:id',
    access: 'admin',
    summary: 'Asks for DMCA protection of one file',
    params: idParamsSchema,
    response: acceptedItemResponseSchema,
  },
});
