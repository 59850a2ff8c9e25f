import { api } from '@autoposter/contracts';
import { Controller } from '@nestjs/common';
import { ApiRoute } from '../http/api-route';
import { ValidId } from '../http/validation.pipe';
import { EvidenceService } from './evidence.service';

@Controller()
export class EvidenceController {
  constructor(private readonly evidence: EvidenceService) {}

  @ApiRoute(api.evidence.ofItem)
  async ofItem(@ValidId() id: string) {
    return { success: true, data: await this.evidence.ofItem(id) };
  }

  @ApiRoute(api.evidence.keys)
  keys() {
    return { success: true, data: { keys: this.evidence.keys() } };
  }
}
