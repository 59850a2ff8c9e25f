import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';

/** A setting that people change while the product runs. */
@Entity('settings')
export class Setting {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column(JSON_VALUE)
  value!: unknown;

  @Column(TIME)
  updatedAt!: Date;

  @Column(TEXT)
  updatedBy!: string;
}
