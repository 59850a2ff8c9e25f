import { api } from '@autoposter/contracts';
import { Controller, Param } from '@nestjs/common';
import { ApiRoute } from '../http/api-route';
import { idParam } from '../http/validation.pipe';
import { EvidenceService } from './evidence.service';

@Controller()
export class EvidenceController {
  constructor(private readonly evidence: EvidenceService) {}

  @ApiRoute(api.evidence.ofItem)
  async ofItem(@Param('id', idParam) id: string) {
    return { success: true, data: await this.evidence.ofItem(id) };
  }

  @ApiRoute(api.evidence.keys)
  keys() {
    return { success: true, data: { keys: this.evidence.keys() } };
  }
}
