/**
 * Words for the same thing, in English and Chinese, a line for each. A line is named by its first word. Only what can
 * stand for each other in a statement about people, projects and their tools is on one line: two memories that differ
 * in words of one line say the same. A word behind `!` says the opposite of its line.
 */
export const CONCEPTS = `
prefer favour favor like love enjoy fond keen fan preference choice preferred favorite favourite inclined partial adore appreciate would-rather 喜欢 偏好 偏爱 爱 热爱 倾向 倾向于 更喜欢 喜爱 青睐 最爱 !dislike !hate !detest !loathe !讨厌 !反感 !不喜欢 !厌恶 !despise !abhor !cannot-stand !can't-stand !averse !aversion
allow permit permitted accepted acceptable okay welcome fine allowable ok alright 允许 可以 准许 容许 许可 !forbid !forbidden !prohibit !ban !disallow !banned !disallowed !禁止 !严禁 !不准 !不许 !杜绝 !off-limits !unacceptable !no-go
enable activate enabled turn-on turned-on switched-on switch-on 启用 开启 打开 激活 !disable !deactivate !turn-off !turned-off !switched-off !switch-off !停用 !禁用 !关闭 !关掉
require mandatory required obligatory compulsory necessary 必需 必要 需要 要求 强制 !optional !unnecessary !可选 !无需 !不必
deploy ship rollout deployment rolled roll-out rolled-out 部署 发版
release launch golive publish go-live went-live goes-live 发布 上线 推出
write author compose draft wrote written rewrite rewritten 写 编写 撰写 书写 起草
answer reply respond response 回答 回复 答复 回应 答案
short brief concise terse succinct compact to-the-point crisp 简短 简洁 精简 简明 简练 扼要 精炼
long lengthy verbose detailed elaborate thorough in-depth extensive comprehensive 详细 冗长 详尽
begin start commence kickoff kick initiate began begun kick-off kicked-off 开始 启动 开工
complete done finish finished end conclude completed wrap-up wrapped-up 完成 完毕 做完 搞定 结束 完结
fast quick rapid speedy 快 快速 迅速
slow sluggish 慢 缓慢
big large huge 大 庞大
small little tiny 小 微小
buy purchase acquire procure 购买 买 采购
fix repair mend resolve patch remedy rectify sort-out 修复 修好 解决 修正 修
bug defect fault flaw glitch 缺陷 故障 错误 漏洞 bug
ticket issue 工单 议题 issue
error failure exception 报错 异常 失败
show display present render 显示 展示 呈现
hide conceal 隐藏
delete remove erase drop purge wipe discard get-rid throw-away eliminate 删除 移除 删掉 清除 去掉
add append include insert 添加 增加 新增 加入 加上
change modify alter edit adjust revise amend tweak 修改 更改 变更 调整 改
create generate produce 创建 生成 制作 建立 新建
locate keep store save stored saved kept reside sit live found find housed based move relocate settle dwell host hosted situated 保存 存储 存放 存 放 位于 存于 放在 放到 住 住在 居住 定居 搬 搬到 搬家 搬去 搬至 迁居 家住 找到 托管 托管在 部署在
record log logged logs 记录 登记 日志
send deliver dispatch submit sent hand-in handed-in 发送 发 寄 提交给
receive obtain 收到 接收 获得
session 会话
meeting meet sync catch-up get-together 会议 开会 例会
standup stand-up daily-standup daily-scrum 站会 早会 每日站会
review inspect reviewed reviewer look-over go-over 评审 审查 审核 审阅 复核
approve signoff approval approver sign-off signed-off green-light 批准 审批 同意 签字
check verify validate confirm ensure 检查 验证 确认 核实 校验 核对
test tests testing spec 测试 测
unittest unit-test 单元测试 单测
integration 集成
repository repo codebase 仓库 代码库 代码仓库
branch 分支
merge merged 合并
squash 压缩合并
rebase 变基
commit commits 提交
pullrequest pr pull-request mergerequest mr merge-request 合并请求 拉取请求
document doc documentation docs documented 文档 资料
handbook guide guidebook 手册 指南 指引
runbook playbook 运维手册 操作手册
wiki 维基 知识库
diagram chart drawing 图表 示意图
dashboard panel board 看板 仪表盘 面板 大盘
server machine host box 服务器 主机 机器
service microservice 服务 微服务
database db datastore 数据库
table 数据表
backup backups back-up backed-up 备份
code source-code 代码 源代码 源码
latency lag 延迟 时延
rotate rotation rota roster 轮换 轮值 轮班
restore recover 恢复 还原
cache caching cached 缓存
queue 队列
environment env 环境
production prod live-environment 生产 线上 生产环境 线上环境 正式环境 prod
staging preprod pre-production 预发 预发布 预发环境 预发布环境 预生产 staging
development dev 开发 开发环境 研发
local locally localhost 本地
cloud 云 云端 云平台 云服务商 云服务
port 端口 端口号
address url link 地址 网址 链接 入口
version 版本 版本号
frontend front-end client-side 前端
backend back-end server-side 后端 服务端
mobile 移动端 手机端
website site webpage 网站 官网 站点
customer client 客户 甲方
vendor supplier provider 供应商 服务商 提供商 厂商 厂家
partner 合作伙伴 合作方
colleague coworker teammate co-worker workmate 同事 队友
manager supervisor boss 经理 上司 老板 主管 领导
lead leader head led 负责人 组长 领队 牵头人
responsible run-by own ownership maintain maintainer handle look-after looks-after looked-after in-charge takes-care take-care accountable oversee responsibility 负责 维护 管 归 接管 掌管
contact reach liaison point-of-contact in-touch reach-out 联系人 联系 对接人 接口人
oncall on-call duty pager-duty on-duty 值班
engineer developer programmer coder software-engineer software-developer 工程师 开发工程师 软件工程师 开发者 程序员 开发人员
designer 设计师
wife 妻子 老婆 太太
husband 丈夫 老公
spouse partner-in-life 配偶 爱人
child kid children 孩子 小孩 子女
daughter 女儿
son 儿子
mother mom mum mama mummy mommy 妈妈 母亲
father dad daddy papa 爸爸 父亲
brother 哥哥 弟弟 兄弟
sister 姐姐 妹妹
employer company firm employ works-for work-for employed-by works-at 公司 雇主 单位 东家 就职
job profession occupation work-as career role position title 职业 职位 岗位 职务 头衔
office 办公室
home house 家
birthday born birth date-of-birth birthdate 生日 出生 诞辰
name call nickname named rename renamed dub goes-by known-as titled 称为 被称为 名字 姓名 称呼 叫 名叫 名为 昵称 叫做 名称
codename code-name 代号
age aged years-old year-old 年龄
timezone time-zone tz 时区
deadline due cutoff due-date at-the-latest 截止 截止日期 截止时间 期限 最后期限 deadline ddl
schedule plan timetable 计划 安排 日程 排期
roadmap 路线图
budget spending 预算 经费
cost price expense fee 费用 成本 价格 开销 价钱
limit cap wrap maximum ceiling max quota upper-bound threshold at-most up-to not-exceed never-exceed 限制 上限 最大 限额 阈值 配额
minimum floor lower-bound at-least 下限 最小 最低 最少
timeout time-out 超时 超时时间
interval frequency 间隔 频率 周期
retention 保留期
rate 速率 速度
size 大小 尺寸
color colour 颜色 配色 色
theme color-scheme colour-scheme 主题
dark darkmode 深色 暗色 暗黑 黑暗
light lightmode 浅色 亮色 明亮
font typeface 字体
indent indentation 缩进
tab tabs 制表符 tab tab键
space spaces 空格
quote quotation 引号
semicolon 分号
comment comments 注释
comma commas 逗号
type types typing 类型
variable variable-name variable-names 变量 变量名 变量命名 变量名称
strict 严格
lint linter linting 代码检查
format formatter formatting 格式 格式化
editor ide code-editor text-editor 编辑器
shell terminal command-line 终端 命令行
browser web-browser 浏览器
os operating-system 操作系统
packagemanager package-manager 包管理器 包管理工具
dependency library package 依赖 库 包 依赖库 第三方库
framework 框架
language 语言 编程语言
key 键 密钥
password passphrase credential 密码 凭据 凭证 口令
vault secret-store 保险库
email e-mail mail 邮件 邮箱 电子邮件
message 消息 信息
chat 聊天
channel 频道 群
newsletter 简报 周报
report 报告 报表
weekly of-the-week every-week a-week each-week once-a-week per-week 每周 每星期
daily-basis daily a-day everyday day-by-day every-day each-day once-a-day per-day 每天 每日 天天
monthly of-the-month every-month a-month each-month once-a-month per-month 每月 每个月
nightly night 每晚 夜间 夜里 晚上
hourly every-hour an-hour each-hour 每小时
yearly of-the-year annually a-year annual every-year each-year once-a-year per-year 每年
biweekly fortnightly every-other-week every-second-week every-two-weeks every-2-weeks twice-a-month 两周一次 双周 每两周
morning 早上 上午 早晨
afternoon 下午
evening 傍晚
noon midday 中午
weekend 周末
holiday vacation time-off annual-leave pto 假期 休假 度假 放假
travel trip journey 旅行 出差 旅游 行程
eat eating food diet meal ate eaten 吃 饮食 食物
drink beverage drank 喝 饮料
coffee 咖啡
tea 茶
vegetarian 不吃肉 eats-no-meat not-eat-meat doesn't-eat-meat don't-eat-meat never-eat-meat meat-free veggie 素食 吃素 素食者 素食主义者
vegan plant-based 纯素
allergic allergy 过敏
meat 肉
sport exercise workout gym work-out 运动 锻炼 健身
run-sport jog running goes-running go-running go-for-a-run goes-for-a-run 跑步 慢跑
swim 游泳
bike cycle bicycle 骑车 自行车 骑行
car drive 车 开车 汽车
train 火车
book 书
music 音乐
cat 猫
dog 狗
learn study 学习 学
teach train-others mentor taught tutor 教 指导 培训 辅导
explain clarify describe 解释 说明 讲解 阐述
example sample instance 例子 示例 样例
question ask check-with ask-for-confirmation ask-for-permission ask-permission seek-permission 问题 提问 问
step 步骤
summary summarise summarize overview recap sum-up 总结 摘要 概要 概述
list bullet bullets bullet-points 列表 清单 要点
rule guideline policy principle 规则 规范 准则 政策 原则
style convention 风格 约定 惯例
pattern 模式
architecture 架构
design 设计 设计稿
mockup prototype 原型
feature functionality function 功能 特性
flag toggle switch-flag 开关
config configuration setting configure settings 配置 设置 设定
migration migrate 迁移
upgrade update bump 升级 更新
monitor watch monitoring observe 监控 监测 监视
alert alarm notification notify 告警 警报 报警 通知
incident outage 事故 故障事件
log-file logfile
trace tracing 追踪 链路
metric metrics 指标
invoice bill billing 发票 账单 计费
payment pay 支付 付款 收款
order 订单
user-account account 账户 账号 帐号
login sign-in signin authenticate authentication auth log-in sign-into log-into 登录 认证 鉴权 登陆
permission authorization 权限
security 安全
encrypt encryption 加密
token 令牌
certificate cert 证书
domain 域名
network 网络
proxy 代理
gateway 网关
listen 监听
reader 阅读器 阅读
sign signature 签署 签名
expire lapse 过期 失效
api interface endpoint 接口 api
request 请求
webhook 回调
script 脚本
command 命令 指令
pipeline workflow ci continuous-integration 流水线 工作流 持续集成
image 镜像
container containers 容器
cluster 集群
region area zone 区域 地区 可用区
data dataset 数据 数据集
file 文件
folder directory 文件夹 目录
path 路径
column field 字段 列
row line 行
screen monitor-screen display-screen 屏幕 显示器
keyboard 键盘
laptop notebook computer pc 笔记本 电脑
phone telephone smartphone cellphone mobile-phone cell-phone 手机 电话
license licence 许可证 许可
contract agreement 合同 协议
legal lawyer attorney 法务 律师
finance accounting 财务
marketing 市场
sales 销售
hr recruiting hiring human-resources 招聘 人事
support helpdesk customer-support customer-service help-desk 客服 支持
school university college 学校 大学
translate translation 翻译
chinese mandarin 中文 汉语 普通话
english 英文 英语
german 德语 德文
french 法语 法文
japanese 日语 日文
spanish 西班牙语 西语
import imports imported importing importer importers 导入
important crucial critical essential vital 重要 关键 要紧
urgent pressing 紧急
simple easy plain straightforward 简单 容易
difficult hard tricky complex complicated challenging 困难 难 复杂
new fresh 新 全新
old legacy former 旧 老 遗留
initial 首个
last final 最后 最终
main primary principal chief major 主要 主 首要
default standard 默认 缺省 标准
shared common 共享 公共 共用
private internal confidential 私有 内部
public external publicly 公开 外部
free free-of-charge complimentary 免费
paid 付费
async asynchronous asynchronously 异步
sync-mode synchronous synchronously 同步
manual-mode manually by-hand hand 手动 手工 人工
automatic automatically automated auto 自动 自动化
before prior ahead first beforehand 之前 以前 前 先 首先
after following 之后 后
during 期间
mock mocks mocking stub fake 模拟 mock 打桩
real actual genuine 真实 实际 真正
explicit explicitly 显式 明确
implicit 隐式
abbreviation abbreviate acronym 缩写 简写
emoji emojis emoticon 表情 表情符号 emoji
joke humor humour 玩笑 幽默
polite formal courteous 正式 礼貌
casual informal 随意 非正式
direct straight blunt candid 直接 直白 直截了当
second sec secs 秒 秒钟
millisecond ms msec 毫秒
minute min mins 分钟
hour hr hrs 小时 钟头
day 天 日
week wk 周 星期 个星期
month 个月 月
year yr 年
percent 百分之
person-count people-count 人
gigabyte gb
megabyte mb
kilobyte kb
kilometre kilometer km 公里 千米
kilogram kilo kg 公斤 千克
litre liter 升
millilitre milliliter ml 毫升
centimetre centimeter cm 厘米
metric-unit metric-system 公制
degree degrees celsius 摄氏 摄氏度
grow-up grew-up grown-up raised-in brought-up 长大
cancel call-off called-off 取消
quarterly every-quarter each-quarter once-a-quarter per-quarter every-three-months 每季度 每季
alternate every-other every-second
track keep-track
commute travel-to-work get-to-work go-to-work goes-to-work 通勤
remote remotely from-home wfh telework telecommute home-office 远程 远程办公 在家办公 居家办公
onsite on-site 现场
in-person face-to-face 面对面
resign resignation step-down stepped-down 辞职 离职
employee staff personnel 员工 职员
intern trainee 实习生
newcomer new-hire new-joiner new-starter 新人 新员工
onboarding induction 入职
freelance freelancer self-employed 自由职业 自由职业者
salary wage 工资 薪水 薪资
department dept division 部门
headquarters head-office hq 总部
startup start-up 创业公司 初创公司
competitor rival 竞争对手
ceo chief-executive chief-executive-officer 首席执行官
cto chief-technology-officer 首席技术官
friend buddy pal 朋友
sibling 兄弟姐妹
grandmother grandma granny
grandfather grandpa granddad
neighbour neighbor 邻居
pet 宠物
doctor physician gp 医生 大夫
dentist 牙医
hospital 医院
medicine medication meds 药 药物
appointment 预约
glasses spectacles 眼镜
sick ill unwell 生病
left-handed write-left-handed lefty 左撇子 左利手
colourblind colorblind colour-blind color-blind 色盲
lactose-intolerant lactose-intolerance 乳糖不耐 乳糖不耐受
celiac coeliac
teetotal no-alcohol not-drink-alcohol doesn't-drink-alcohol never-drink-alcohol
early-riser early-bird morning-person
wake wake-up get-up woke 起床
sleep bedtime go-to-bed goes-to-bed 睡觉
breakfast 早餐 早饭
lunch 午餐 午饭
dinner supper 晚餐 晚饭
spicy 辣
dairy 乳制品 奶制品
milk 牛奶
seafood 海鲜
fish 鱼
bread 面包
fruit 水果
hobby pastime 爱好
football soccer 足球
basketball 篮球
tennis 网球
table-tennis ping-pong 乒乓球
badminton 羽毛球
yoga 瑜伽
hike trek 徒步 远足
guitar 吉他
piano 钢琴
photography take-photos taking-photos take-pictures taking-pictures 摄影 拍照
cook 做饭 烹饪 下厨
gardening 园艺
film movie 电影
novel 小说
walk on-foot 步行 走路
bus 公交 公交车
subway metro 地铁
motorbike motorcycle 摩托车
plane airplane aeroplane 飞机
airport 机场
check-in checks-in checked-in checking-in 入住
check-out checks-out checked-out checking-out 退房
sign-up signs-up signed-up signup 注册
opt-in opts-in opted-in
opt-out opts-out opted-out
depart 出发 发车 启程
hotel 酒店 宾馆
passport 护照
visa 签证
abroad overseas 国外 海外
downtown city-centre city-center 市中心
apartment 公寓
canteen cafeteria 食堂
meeting-room conference-room 会议室
near nearby close-to 附近 靠近
native-language mother-tongue first-language native-tongue 母语
nationality citizenship 国籍
retired retire 退休
student pupil 学生
teacher schoolteacher 老师 教师
doctorate phd 博士
exam examination 考试
course 课程
thesis dissertation 论文
graduate graduation 毕业
rent 租金 房租
bank 银行
tax 税
currency 货币 币种
discount rebate 折扣
subscription subscribe 订阅
reimburse reimbursement 报销
refund money-back 退款
donate donation 捐款 捐赠
insurance insure 保险
expensive costly pricey 昂贵
cheap inexpensive affordable 便宜
attend participate take-part takes-part took-part 参加 出席
gather collect 收集 采集
choose select pick chose chosen 选择 挑选
assign allocate 分配 指派
assist help aid 帮助 协助
discuss discussion talk-about 讨论
suggest recommend propose 建议 推荐
decide decision decided 决定
ignore disregard 忽略
skip omit leave-out 省略 跳过
split divide 拆分 分割
copy duplicate 复制 拷贝
search look-for seek 搜索 查找
retry retries try-again tried-again retried 重试
restart reboot 重启
install installation 安装
build built 构建
refactor restructure 重构
rollback roll-back rolled-back revert 回滚 回退
freeze frozen code-freeze 冻结
hotfix hot-fix
changelog change-log release-notes 更新日志 变更日志 发布说明
milestone 里程碑
todo to-do 待办 待办事项
sprint iteration 迭代 冲刺
estimate estimation 估算
priority 优先级
goal objective aim 目标
demo demonstration demonstrate 演示
agenda 议程
calendar 日历
minutes-of-meeting meeting-minutes meeting-notes 会议纪要 会议记录
one-on-one one-to-one 一对一
interview 面试
remind reminder 提醒
retrospective retro 回顾会
postmortem post-mortem 事后复盘
video-call video-conference videoconference 视频会议
text-message sms 短信
slides slide-deck 幻灯片
screenshot screen-capture 截图
template boilerplate 模板
typo misspelling spelling-mistake 错别字 拼写错误
character char 字符
line-length line-width 行宽
blank-line empty-line 空行
camelcase camel-case 驼峰 驼峰命名
snakecase snake-case 蛇形命名
kebabcase kebab-case
pascalcase pascal-case
uppercase upper-case capital-letters 大写
lowercase lower-case 小写
early-return return-early guard-clause 提前返回
readable readability legible 可读 可读性
coverage 覆盖率
user-interface ui gui 界面
open-source opensource 开源
disk hard-drive hard-disk 磁盘 硬盘
two-factor multi-factor 双因素
uptodate up-to-date
outdated out-of-date obsolete
temporary temporarily provisional interim 临时
permanent permanently 永久
exact precise accurate 精确 准确
wrong incorrect 错误的
useful helpful
tedious boring dull
stable reliable dependable 稳定
immediately instantly right-away straight-away at-once asap 立即 立刻 马上
rarely seldom 很少
sometimes occasionally from-time-to-time now-and-then 有时 偶尔
often frequently frequent
quiet silent 安静
headphones earphones headset 耳机
printer 打印机
month-end end-of-the-month end-of-month 月底 月末 每月底
year-end end-of-the-year end-of-year 年底 年末
workday working-day business-day weekday 工作日
public-holiday bank-holiday national-holiday 法定假日 节假日
business-hours working-hours office-hours 工作时间
sick-leave 病假
parental-leave 育儿假
maternity-leave 产假
christmas xmas 圣诞节
midnight 午夜 半夜
surname last-name family-name 姓 姓氏
first-name given-name
vehicle automobile
weigh weight 体重
regex regexp regexes regular-expression regular-expressions 正则 正则表达式
shopping groceries
rubbish garbage trash waste 垃圾
lift elevator 电梯
pavement sidewalk
flashlight torch-light
beach seaside 海边
forest woods 森林
countryside rural 乡下 农村
parking car-park parking-lot 停车场
petrol gasoline 汽油
electric-car ev 电动车
aisle-seat aisle 靠走道
window-seat 靠窗
mushroom 蘑菇
peanut groundnut 花生
coriander cilantro 香菜
aubergine eggplant 茄子
courgette zucchini
prawn shrimp 虾
soda soft-drink fizzy-drink 汽水
decaf decaffeinated
sugar-free no-sugar unsweetened 无糖
gluten-free no-gluten 无麸质
announce announcement announces 公告 宣布
warn warning 警告
compare comparison 比较 对比
measure measurement 测量
calculate compute 计算
analyse analyze analysis 分析
improve improvement enhance 改进 改善
protect safeguard 保护
connect connection 连接
separate separately 分开
collaborate cooperate 合作 协作
negotiate negotiation 谈判
transcript transcription
archive archived 归档 存档
export exported 导出
import imported 导入
upload uploaded 上传
download downloaded 下载
attachment enclosure 附件
headline heading title-line 标题
paragraph 段落
sentence 句子
spelling orthography 拼写
british-english uk-english
american-english us-english
footnote 脚注
glossary 术语表
tutorial walkthrough 教程
specification specs 规格
requirement requirements 需求
vulnerability security-hole 安全漏洞
audit audits 审计
compliance compliant 合规
consultant advisor adviser 顾问
shareholder stockholder 股东
investor 投资人 投资者
founder 创始人
volunteer volunteering 志愿者 义工
salesperson sales-rep sales-representative 销售员
quality-assurance qa 质量保证
product-manager product-owner 产品经理
shipment consignment
inventory stock-level 库存
quarter-end end-of-the-quarter end-of-quarter 季末 季度末
lunch-break lunchtime lunch-time 午休
feature-flag feature-toggle 功能开关
load-test load-testing stress-test 压力测试 负载测试
end-to-end e2e 端到端
smoke-test 冒烟测试
rate-limit rate-limiting throttle throttling 限流
load-balancer 负载均衡
access-key api-key api密钥
feedback 反馈
trunk mainline
monolith monolithic 单体
third-party 第三方
in-house 自研
self-hosted on-premise on-premises on-prem 自建 自托管
user-story user-stories 用户故事
handover hand-over handoff hand-off 交接
sprint-planning planning-meeting 迭代计划会
all-hands town-hall company-meeting 全员会
attendee participant 参会者 参与者
absent absence 缺席
punctual on-time 准时
silent-mode mute muted 静音
pronoun pronouns
stutter stammer 口吃
vaccination vaccine jab 疫苗
therapist counsellor counselor
physiotherapy physiotherapist physio 理疗
chemist pharmacy drugstore 药店 药房
back-pain backache 背痛 腰痛
headache 头痛
migraine 偏头痛
`

/** Words of one sort, of which something has one at a time. The name of a sort also counts as a word for it. */
export const SORTS = `
packagemanager npm pnpm yarn bun
pythonpackages pip poetry uv pipenv conda
editor vim neovim nvim emacs vscode vs-code jetbrains intellij zed helix cursor sublime webstorm pycharm nano
shell bash zsh fish powershell nushell
os linux macos windows ubuntu debian fedora arch nixos
browser firefox chrome safari edge brave
indent tab space 制表符 空格
database postgres postgresql mysql mariadb sqlite oracle sqlserver mssql cockroachdb mongodb dynamodb
cache redis memcached valkey
queue kafka rabbitmq sqs nats pulsar
ci jenkins circleci github-actions gitlab-ci travis buildkite teamcity drone
cloud aws gcp azure hetzner digitalocean heroku vercel netlify linode ovh scaleway 阿里云 腾讯云 华为云
tracker jira linear trello asana youtrack redmine 禅道 tapd
chat slack discord teams mattermost zulip 飞书 钉钉 企业微信
codehost github gitlab bitbucket gitea gitee
docs notion confluence 语雀 石墨 obsidian
design figma sketch miro penpot 蓝湖 墨刀 即时设计
monitor grafana datadog newrelic kibana splunk prometheus
analytics matomo plausible fathom mixpanel amplitude posthog umami
payment stripe adyen paypal braintree 支付宝 微信支付
webframework react vue svelte angular solid
styling tailwind bootstrap
testrunner jest vitest mocha pytest unittest ava
bundler webpack vite rollup esbuild parcel turbopack
orm prisma drizzle typeorm sequelize sqlalchemy
linter eslint biome tslint flake8 ruff pylint
formatter prettier black dprint gofmt rustfmt
theme dark light
length short long
quotes single double 单引号 双引号
mergestyle squash rebase merge
synchronicity async sync-mode
handling automatic manual-mode
cadence daily-basis weekly monthly nightly hourly yearly biweekly
container docker podman
infra terraform pulumi cloudformation ansible
licence mit apache gpl bsd mpl agpl
replylanguage english chinese german french spanish japanese danish dutch swedish norwegian finnish italian portuguese polish russian korean turkish czech greek hungarian ukrainian arabic hindi
api rest graphql grpc soap
auth oauth saml ldap oidc
passwords 1password bitwarden lastpass keepass
video zoom meet-google webex 腾讯会议
temperature celsius fahrenheit
daytime morning afternoon evening
diet vegetarian vegan pescatarian omnivore
casing camelcase snakecase kebabcase pascalcase
visibility public private
price free paid
keyboardlayout qwerty dvorak colemak qwertz
scriptlanguage javascript typescript
repolayout monorepo polyrepo multirepo
`
