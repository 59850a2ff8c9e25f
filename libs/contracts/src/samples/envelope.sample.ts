import type { AcceptedItem, Acknowledged, ErrorResponse, Pagination, ProcessAllResponse } from '../api/envelope.api';
import { OTHER_SAMPLE_ID, SAMPLE_ID } from './item.sample';

export const ackSample: Acknowledged = { success: true, message: 'Done' };

export const errorSample: ErrorResponse = {
  success: false,
  error: 'The interval must be at least 5 minutes',
  message: 'The interval must be at least 5 minutes',
  requestId: 'req-4f2a',
  code: 'invalid_input',
  issues: [{ field: 'interval', rule: 'must be at least 5', value: '4' }],
};

export const idParamsSample = { id: SAMPLE_ID };

export const paginationSample: Pagination = { currentPage: 1, totalPages: 3, totalCount: 120, hasPrevPage: false, hasNextPage: true };

export const processAllSample: ProcessAllResponse = {
  success: true,
  processed: 10,
  total: 12,
  skipped: 2,
  message: '10 files accepted, 2 left out',
  runId: OTHER_SAMPLE_ID,
};

export const acceptedItemSample: AcceptedItem = { id: SAMPLE_ID, state: 'protecting', jobId: OTHER_SAMPLE_ID };
