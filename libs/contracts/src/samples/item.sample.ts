/** Ids and times that the samples share. */
export const SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e10';
export const OTHER_SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e11';
export const THIRD_SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e12';
export const SAMPLE_TIME = '2026-11-21T09:00:00.000Z';
export const LATER_SAMPLE_TIME = '2026-11-21T11:05:00.000Z';
