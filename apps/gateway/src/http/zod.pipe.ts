import { BadRequestException, NotFoundException, UnprocessableEntityException, type PipeTransform } from '@nestjs/common';
import { idParamsSchema } from '@autoposter/contracts';
import type { z } from 'zod';
import { fieldIssue, issueSentence } from './issue-sentence';

/** Broken shape: nobody can tell what was meant. Everything else was understood and is not acceptable. */
const MALFORMED: ReadonlySet<string> = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element']);
const MAX_ISSUES = 20;
const MAX_SENTENCES = 5;

/** Checks a body or query against its schema: 400 for a broken shape, 422 for a value outside the limits. */
class ZodPipe<T extends z.ZodType> implements PipeTransform<unknown, z.output<T>> {
  constructor(private readonly schema: T) {}

  transform(value: unknown): z.output<T> {
    if (!isStorable(value))
      throw new BadRequestException('The request holds characters that are no text (U+0000 or half a surrogate pair).');
    const result = this.schema.safeParse(value ?? {}, { reportInput: true });
    if (result.success) return result.data;
    const { issues } = result.error;
    const body = { message: sentencesOf(issues), issues: issues.slice(0, MAX_ISSUES).map(fieldIssue) };
    throw issues.some((issue) => MALFORMED.has(issue.code)) ? new BadRequestException(body) : new UnprocessableEntityException(body);
  }
}

function sentencesOf(issues: readonly z.core.$ZodIssue[]): string {
  const more = issues.length - MAX_SENTENCES;
  return [...issues.slice(0, MAX_SENTENCES).map(issueSentence), ...(more > 0 ? [`${more} more fields are wrong.`] : [])].join(' ');
}

export const valid = <T extends z.ZodType>(schema: T): ZodPipe<T> => new ZodPipe(schema);

/** Takes `:id`. Text that is no id at all is an unknown id. */
export const idParam: PipeTransform<unknown, string> = {
  transform(value) {
    const id = idParamsSchema.safeParse({ id: value });
    if (!id.success) throw new NotFoundException('There is nothing with this id.');
    return id.data.id.toLowerCase();
  },
};

/** PostgreSQL keeps neither U+0000 nor half a surrogate pair, and no field means either. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !/\0|\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorable(entry));
}
